import { ApiProperty } from '@nestjs/swagger';
import { Label, Text } from '../../../core/http/fields';
import { encodeId, timeOf } from '../../../core/http/ids';
import type { NewCredential, Passkey, ShownCredential } from './passkeys.service';

const CREDENTIAL_MAX = 1_400;
const CLIENT_DATA_MAX = 4_096;
const ATTESTATION_MAX = 8_192;
const SIGNED_MAX = 2_048;
const HANDLE_MAX = 88;

/** What the browser is given to ask a device with. */
export class PasskeyOptionsDto {
  @ApiProperty({ type: 'object', additionalProperties: true })
  options: object;
}

/** What a device answered that made a key; in base64url. */
export class NewPasskeyDto {
  @Label({ example: 'My phone' })
  name: string;

  @Text(CREDENTIAL_MAX)
  credential_id: string;

  @Text(CLIENT_DATA_MAX)
  client_data: string;

  @Text(ATTESTATION_MAX)
  attestation: string;

  static credentialOf(this: void, body: NewPasskeyDto): NewCredential {
    const { name, credential_id: credentialId, client_data: clientData, attestation } = body;
    return { name, credentialId, clientData, attestation };
  }
}

/** What a device answered that signed; in base64url. */
export class ShownPasskeyDto {
  @Text(CREDENTIAL_MAX)
  credential_id: string;

  @Text(CLIENT_DATA_MAX)
  client_data: string;

  @Text(SIGNED_MAX)
  authenticator_data: string;

  @Text(SIGNED_MAX)
  signature: string;

  @Text(HANDLE_MAX, { optional: true })
  user_handle?: string | null;

  static shownOf(this: void, body: ShownPasskeyDto): ShownCredential {
    const { credential_id: credentialId, client_data: clientData, signature } = body;
    const { authenticator_data: authenticatorData, user_handle: userHandle = null } = body;
    return { credentialId, clientData, authenticatorData, signature, userHandle };
  }
}

export class PasskeyNameDto {
  @Label({ example: 'My phone' })
  name: string;
}

export class PasskeyDto {
  id: string;
  name: string;
  /** Its owner has it on other devices, too. */
  synced: boolean;
  created_at: Date;
  last_used_at: Date | null;

  static of(this: void, { id, name, synced, lastUsedAt }: Passkey): PasskeyDto {
    return { id: encodeId('psk', id), name, synced, created_at: timeOf(id), last_used_at: lastUsedAt };
  }
}

export class PasskeyListDto {
  data: PasskeyDto[];
}
