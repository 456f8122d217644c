// Errors of the account pages in the reader's language.
import { ApiError } from '../lib/api'
import { declined } from '../lib/passkeys'
import { maybe, t } from '../lib/i18n.svelte'

export function errorText(exc: unknown): string {
  if (declined(exc)) return t('account.no.declined')
  if (!(exc instanceof ApiError)) return exc instanceof DOMException && exc.name === 'InvalidStateError' ? t('account.no.known') : String(exc)
  return maybe(`account.no.${exc.rule}`, maybe(`refused.${exc.rule}`, exc.message))
}
