// Passkeys (WebAuthn): the browser's ceremonies, with binary fields as base64url.
import type { CeremonyView, NewCredential, PersonView, SignedCredential } from '../protocol.gen'
import { fetchJson } from './api'

export const known = (): boolean => 'PublicKeyCredential' in window

/** Create a passkey on this device; it makes a guest a member. */
export async function addKey(invitation = ''): Promise<PersonView> {
  const { id, options } = await fetchJson<CeremonyView>('POST', '/api/passkeys/new')
  const asked = options as PublicKeyCredentialCreationOptionsJSON
  const made = await navigator.credentials.create({
    publicKey: {
      ...(asked as unknown as PublicKeyCredentialCreationOptions),
      challenge: bytes(asked.challenge),
      user: { ...asked.user, id: bytes(asked.user.id) },
      excludeCredentials: (asked.excludeCredentials ?? []).map((key) => ({ type: 'public-key', id: bytes(key.id) })),
    },
  })
  const key = made as PublicKeyCredential
  const answer = key.response as AuthenticatorAttestationResponse
  const credential: NewCredential = {
    id: key.id,
    rawId: text(key.rawId),
    type: 'public-key',
    response: { clientDataJSON: text(answer.clientDataJSON), attestationObject: text(answer.attestationObject) },
  }
  return fetchJson<PersonView>('POST', '/api/passkeys', { ceremony: id, credential, invitation })
}

/** Log in with a passkey of this device. */
export async function signIn(): Promise<PersonView> {
  const { id, options } = await fetchJson<CeremonyView>('POST', '/api/passkeys/login/new')
  const asked = options as PublicKeyCredentialRequestOptionsJSON
  const signed = await navigator.credentials.get({
    publicKey: { challenge: bytes(asked.challenge), rpId: asked.rpId, timeout: asked.timeout, userVerification: 'required' },
  })
  const key = signed as PublicKeyCredential
  const answer = key.response as AuthenticatorAssertionResponse
  const credential: SignedCredential = {
    id: key.id,
    rawId: text(key.rawId),
    type: 'public-key',
    response: {
      clientDataJSON: text(answer.clientDataJSON),
      authenticatorData: text(answer.authenticatorData),
      signature: text(answer.signature),
      userHandle: answer.userHandle ? text(answer.userHandle) : null,
    },
  }
  return fetchJson<PersonView>('POST', '/api/passkeys/login', { ceremony: id, credential })
}

/** Return whether the user or the device declined or timed out. */
export function declined(exc: unknown): boolean {
  return exc instanceof DOMException && ['NotAllowedError', 'AbortError'].includes(exc.name)
}

export function bytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
}

export function text(buffer: ArrayBuffer): string {
  const letters = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join('')
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
