// Why something of an account was not done, in the reader's language.
import { Refused } from '../lib/api'
import { declined } from '../lib/passkeys'
import { maybe, t } from '../lib/words.svelte'

export function why(wrong: unknown): string {
  if (declined(wrong)) return t('account.no.declined')
  if (!(wrong instanceof Refused)) return wrong instanceof DOMException && wrong.name === 'InvalidStateError' ? t('account.no.known') : String(wrong)
  return maybe(`account.no.${wrong.rule}`, maybe(`refused.${wrong.rule}`, wrong.why))
}
