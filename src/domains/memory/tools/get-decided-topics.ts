import { topicList } from '../topic-list.ts'

export default topicList({
  name: 'get-decided-topics',
  title: 'Get decided topics',
  description: 'List the topics directly below a topic, or at the top of a project, that have a decision.',
  decided: true,
})
