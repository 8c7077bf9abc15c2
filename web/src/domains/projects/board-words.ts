const tasks = (n: number) => (n === 1 ? 'the task' : `${n} tasks`)

const en = {
  nobody: 'Nobody',
  pick: {
    assignee: (n: number) => `Assign ${tasks(n)} to…`,
    priority: (n: number) => `Priority of ${tasks(n)}…`,
    status: (n: number) => `Move ${tasks(n)} to…`,
  },
  assign: 'Assign',
  priority: 'Set the priority',
  move: 'Move',
  orderUp: 'Higher in its column',
  orderDown: 'Lower in its column',
  select: 'Select',
  clear: 'Clear the selection',
  selected: (n: number) => `${n} selected`,
}

const ja: typeof en = {
  nobody: '担当なし',
  pick: {
    assignee: n => `${n} 件のタスクの担当者…`,
    priority: n => `${n} 件のタスクの優先度…`,
    status: n => `${n} 件のタスクの移動先…`,
  },
  assign: '担当者を決める',
  priority: '優先度を決める',
  move: '移動',
  orderUp: '列の中で上へ',
  orderDown: '列の中で下へ',
  select: '選択',
  clear: '選択を解除',
  selected: n => `${n} 件を選択中`,
}

export const boardWords = { en, ja }
