import { topicList } from '../topic-list.ts'

export default topicList({
  name: 'get-topics',
  title: 'Get topics',
  description: 'List the topics directly below a topic, or at the top of a project.',
  decided: undefined,
})
