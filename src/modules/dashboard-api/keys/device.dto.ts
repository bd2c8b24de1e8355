import { Flag, Label, Text } from '../../../core/http/fields';
import { networkOf } from '../../../core/text/ip-address';
import type { DeviceLogins, DeviceRequest } from './device-logins.service';
import { Words } from './key.dto';

const TOKEN_MAX = 64;
const USER_CODE_MAX = 16;

export class AskForCodeDto {
  @Label()
  name: string;
}

export class DeviceCodeDto {
  device_code: string;
  user_code: string;
  /** Carries no code: who is led here by a stranger has nothing to confirm. */
  verification_uri: string;
  expires_in: number;
  interval: number;

  static of(
    { deviceCode, userCode, expiresIn, interval }: Awaited<ReturnType<DeviceLogins['ask']>>,
    url: string,
  ): DeviceCodeDto {
    return {
      device_code: deviceCode,
      user_code: `${userCode.slice(0, 4)}-${userCode.slice(4)}`,
      verification_uri: `${url}/dashboard/device`,
      expires_in: expiresIn,
      interval,
    };
  }
}

export class TakeKeyDto {
  @Text(TOKEN_MAX)
  device_code: string;
}

/** Shown for the only time. */
export class DeviceKeyDto {
  api_key: string;
  livemode: boolean;
  expires_at: Date;
}

export class RevokeTokenDto {
  @Text(TOKEN_MAX)
  token: string;
}

export class UserCodeDto {
  @Text(USER_CODE_MAX)
  user_code: string;
}

export class ApproveDeviceDto extends UserCodeDto {
  @Flag()
  livemode: boolean;

  @Words()
  scopes?: string[] | null;
}

/** Who asks for a key. */
export class DeviceRequestDto {
  /** As it calls itself. */
  name: string;
  ip: string;
  user_agent: string | null;
  /** It asks from where the person who looks at it is. */
  same_network: boolean;
  created_at: Date;
  expires_at: Date;

  static of({ name, ip, userAgent, createdAt, expiresAt }: DeviceRequest, ownIp: string): DeviceRequestDto {
    return {
      name,
      ip,
      user_agent: userAgent,
      same_network: networkOf(ip) === networkOf(ownIp),
      created_at: createdAt,
      expires_at: expiresAt,
    };
  }
}
