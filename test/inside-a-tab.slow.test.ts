// An agent can read the operator's token, since it runs as the user. What it does with it in its tab, it does as that tab.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { ROOT } from '../scripts/sources.js'
import { post } from './processes.ts'
import { TabWorkshop } from './real-tabs.ts'
import { temporaryFolder, until } from './scripted.ts'

describe.runIf(process.platform === 'linux')('in a tab', () => {
  test('the command line and MCP over HTTP speak as that tab, whatever token they show', async () => {
    using folder = temporaryFolder()
    const orders = path.join(folder.path, 'orders.sh')
    const obey = `while [ ! -e ${orders} ]; do sleep 0.05; done; sh ${orders}; echo done; sleep 1000`
    await using tabs = new TabWorkshop({ speaker: obey, listener: 'cat' })
    const hub = await tabs.shop.hub()
    const { state } = hub
    if (!state) throw new Error(hub.exit?.stderr)
    const listener = await tabs.launch(hub, 'listener')
    const speaker = await tabs.launch(hub, 'speaker')
    await post(state, 'project.add', { id: 'elsewhere', name: 'elsewhere' })
    const toryo = `'${process.execPath}' '${path.join(ROOT, 'bin', 'toryo.js')}'`
    const home = path.join(tabs.shop.home, 'toryo')
    const db = `--db '${tabs.shop.db()}'`
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'gwt_send_message', arguments: { target_tab_id: listener, message: 'by MCP' } },
    }
    const begin = {
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    }
    const client = path.join(folder.path, 'client.mjs')
    writeFileSync(
      client,
      `const headers = { authorization: 'Bearer ${state.token}', 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
       const post = (body, more = {}) => fetch('${state.url}/mcp?toolsets=tabs', { method: 'POST', headers: { ...headers, ...more }, body: JSON.stringify(body) })
       const begun = await post(${JSON.stringify(begin)})
       await begun.text()
       await (await post(${JSON.stringify(call)}, { 'mcp-session-id': begun.headers.get('mcp-session-id') })).text()`,
    )
    writeFileSync(
      `${orders}.draft`,
      `export TORYO_HOME='${home}' HOME='${tabs.shop.home}'
       ${toryo} tab send ${listener} 'to one' ${db}
       ${toryo} tab send --all 'to all' ${db}
       '${process.execPath}' '${client}'
       ${toryo} tab list --json ${db} > ${folder.path}/tabs
       ${toryo} task list --project prj --json ${db} > ${folder.path}/tasks
       ${toryo} project list --json ${db} > ${folder.path}/projects
       ${toryo} task add sneaky --project prj ${db} 2> ${folder.path}/refused
       ${toryo} stop ${db} 2>> ${folder.path}/refused
       ${toryo} tab launch listener other --project prj ${db}`,
    )
    renameSync(`${orders}.draft`, orders)
    const shown = async (tab_id: string) => (await post(state, 'tab.show', { tab_id })).body
    const live = async () => (await post(state, 'tab.list', {})).body['tabs'] as Record<string, unknown>[]
    await until(async () => (await live()).length === 3)
    const messages = (await shown(listener))['messages'] as Record<string, unknown>[]
    expect(messages.map(({ message, from }) => [message, from])).toEqual([
      ['to one', speaker],
      ['to all', speaker],
      ['by MCP', speaker],
    ])
    // A broadcast is for the others.
    expect((await shown(speaker))['messages']).toEqual([])
    expect((await live()).find(({ branch }) => branch === 'other')).toMatchObject({
      depth: 2,
      launched_by: `tab:${speaker}`,
    })
    // It reads in its own project. What is the person's alone is refused, and says why.
    const wrote = (name: string) => readFileSync(path.join(folder.path, name), 'utf8')
    const listed = JSON.parse(wrote('tabs')) as { tabs: { tab_id: string }[] }
    expect(listed.tabs.map(({ tab_id }) => tab_id).sort()).toEqual([listener, speaker].sort())
    expect(JSON.parse(wrote('tasks'))).toEqual({ tasks: [] })
    expect((JSON.parse(wrote('projects')) as { projects: object[] }).projects).toMatchObject([{ project_id: 'prj' }])
    const refusal = `belongs to the operator. This command was started by tab ${speaker} and acts as that.`
    expect(wrote('refused')).toContain(`task.add ${refusal}`)
    expect(wrote('refused')).toContain(`hub.status ${refusal}`)
    // A person beside them is still the person.
    await post(state, 'tab.send', { tab_id: listener, message: 'from outside' })
    expect((await shown(listener))['messages']).toContainEqual(
      expect.objectContaining({ message: 'from outside', from: 'operator' }),
    )
    await hub.stop()
  })
})
