import { topicList } from '../topic-list.ts'

export default topicList({
  name: 'get-undecided-topics',
  title: 'Get undecided topics',
  description: 'List the topics directly below a topic, or at the top of a project, that are still open.',
  decided: false,
})
