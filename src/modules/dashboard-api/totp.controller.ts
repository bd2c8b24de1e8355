import { Body, Controller, HttpCode, Ip, Post } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { CodeDto, ProofDto } from './auth.dto';
import type { SignedIn } from './people.types';
import { Me, Needs } from './sessions.guard';
import { TwoFactorService } from './two-factor.service';

/** One-time codes of an authenticator app. */
@ApiExcludeController()
@Needs('self')
@Controller('dashboard/api/totp')
export class TotpController {
  constructor(private readonly twoFactor: TwoFactorService) {}

  @Post('setup')
  @HttpCode(200)
  async setUp(@Me() me: SignedIn): Promise<{ secret: string; otpauth_uri: string }> {
    const { secret, uri } = await this.twoFactor.setUp(me);
    return { secret, otpauth_uri: uri };
  }

  @Post('confirm')
  @HttpCode(200)
  async confirm(
    @Me() me: SignedIn,
    @Body() { code }: CodeDto,
    @Ip() ip: string,
  ): Promise<{ recovery_codes: string[] }> {
    return { recovery_codes: await this.twoFactor.confirm(me, code, ip) };
  }

  @Post('disable')
  @HttpCode(204)
  async disable(@Me() me: SignedIn, @Body() proof: ProofDto, @Ip() ip: string): Promise<void> {
    await this.twoFactor.disable(me, proof, ip);
  }
}
