// People's tokens, and the browsers that are signed in.
import { z } from 'zod'
import { PageId } from '../id-types.ts'
import { OwnId } from '../own-id.ts'
import { PageView, TokenView } from '../views.ts'
import { operation } from './shapes.ts'

export const peopleApi = {
  'token.add': operation(z.object({ name: OwnId }), z.object({ name: z.string(), token: z.string() })),
  'token.list': operation(z.object({}), z.object({ tokens: z.array(TokenView) })),
  'token.revoke': operation(z.object({ name: z.string() }), TokenView),
  /** For one sign-in to the dashboard, within ten minutes. */
  'hub.login_link': operation(z.object({}), z.object({ url: z.string(), expires_at: z.string() })),
  'page.list': operation(
    z.object({}),
    z.object({ pages: z.array(PageView.extend({ is_this: z.boolean().describe('The one that asks') })) }),
  ),
  'page.revoke': operation(
    z.object({ page_id: PageId.optional().describe('Missing: every browser') }),
    z.object({ pages: z.array(PageView) }),
  ),
}
