// Errors of the account pages in the reader's language.
import { ApiError } from '../lib/api'
import { declined } from '../lib/passkeys'
import { maybe, t } from '../lib/i18n.svelte'

/** Return the text of an error; what a part of the page says about it comes first. */
export function errorText(exc: unknown, part: 'account' | 'news' = 'account'): string {
  if (declined(exc)) return t('account.no.declined')
  if (!(exc instanceof ApiError)) return exc instanceof DOMException && exc.name === 'InvalidStateError' ? t('account.no.known') : String(exc)
  const key = part === 'news' ? `news.no.${exc.rule}` : `account.no.${exc.rule}`
  return maybe(key, maybe(`refused.${exc.rule}`, exc.message))
}
