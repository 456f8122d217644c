// Logging in without a password: the server asks, the device signs, and its answer travels as text.
import type { CeremonySeen, NewCredential, PersonSeen, SignedCredential } from '../wire'
import { ask } from './api'

export const known = (): boolean => 'PublicKeyCredential' in window

/** Make a key on this device; a guest is a member by it. */
export async function addKey(): Promise<PersonSeen> {
  const { id, options } = await ask<CeremonySeen>('POST', '/api/passkeys/new')
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
  return ask<PersonSeen>('POST', '/api/passkeys', { ceremony: id, credential })
}

/** Log in by a key of this device. */
export async function signIn(): Promise<PersonSeen> {
  const { id, options } = await ask<CeremonySeen>('POST', '/api/passkeys/login/new')
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
  return ask<PersonSeen>('POST', '/api/passkeys/login', { ceremony: id, credential })
}

/** Whether the device or its owner said no, or took too long: nothing to explain. */
export function declined(wrong: unknown): boolean {
  return wrong instanceof DOMException && ['NotAllowedError', 'AbortError'].includes(wrong.name)
}

export function bytes(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
}

export function text(buffer: ArrayBuffer): string {
  const letters = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join('')
  return btoa(letters).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
