import { startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser';
import { dashboardApi, type DashboardSchemas } from '../api/dashboard-api';
import { bodyOf } from '../api/public-api';

type Creation = Parameters<typeof startRegistration>[0]['optionsJSON'];
type Question = Parameters<typeof startAuthentication>[0]['optionsJSON'];
type Shown = DashboardSchemas['ShownPasskey'];

/** Why a device did not answer, in words. */
async function answered<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof WebAuthnError && error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED')
      throw new Error('This device has a passkey of yours already.');
    if (error instanceof Error && error.name === 'NotAllowedError')
      throw new Error('The device did not answer: it was cancelled, took too long, or has no passkey for this site.');
    throw error;
  }
}

async function show(question: Promise<DashboardSchemas['PasskeyOptions']>): Promise<Shown> {
  const { options } = await question;
  const { id, response } = await answered(() => startAuthentication({ optionsJSON: options as unknown as Question }));
  return {
    credential_id: id,
    client_data: response.clientDataJSON,
    authenticator_data: response.authenticatorData,
    signature: response.signature,
    user_handle: response.userHandle ?? null,
  };
}

/** Logs somebody in: the browser asks which passkey. */
export async function logInWithPasskey(): Promise<void> {
  const body = await show(bodyOf(dashboardApi.POST('/auth/passkey-options')));
  await dashboardApi.POST('/auth/passkey', { body });
}

/** Proves once more who is logged in. */
export async function stepUpWithPasskey(): Promise<void> {
  const body = await show(bodyOf(dashboardApi.POST('/auth/step-up/passkey-options')));
  await dashboardApi.POST('/auth/step-up/passkey', { body });
}

export async function makePasskey(name: string): Promise<DashboardSchemas['Passkey']> {
  const { options } = await bodyOf(dashboardApi.POST('/passkeys/options'));
  const optionsJSON = options as unknown as Creation;
  const { id, response } = await answered(() => startRegistration({ optionsJSON }));
  const { clientDataJSON: client_data, attestationObject: attestation } = response;
  return bodyOf(dashboardApi.POST('/passkeys', { body: { name, credential_id: id, client_data, attestation } }));
}
