import { Body, Controller, Delete, Get, HttpCode, Ip, Param, Patch, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { decodeId } from '../../../core/http/ids';
import { InControlCell } from '../../../core/http/route-markers';
import { SecurityService } from '../security.service';
import {
  NewPasskeyDto,
  PasskeyDto,
  PasskeyListDto,
  PasskeyNameDto,
  PasskeyOptionsDto,
  ShownPasskeyDto,
} from './passkeys.dto';
import { PasskeysService } from './passkeys.service';
import { SteppedUpDto } from './people.dto';
import { Me, Needs } from './sessions.guard';
import type { SignedIn } from './sessions.service';

/** The passkeys of whoever is signed in. To make, name or remove one asks for a fresh proof. */
@Needs('self')
@Controller('dashboard/api')
export class PasskeysController {
  constructor(
    private readonly passkeys: PasskeysService,
    private readonly security: SecurityService,
  ) {}

  @InControlCell('person')
  @Get('passkeys')
  async list(@Me() { userId }: SignedIn): Promise<PasskeyListDto> {
    return { data: (await this.passkeys.list(userId)).map(PasskeyDto.of) };
  }

  @InControlCell('person')
  @Post('passkeys/options')
  @HttpCode(200)
  async offer(@Me() me: SignedIn, @Req() request: FastifyRequest): Promise<PasskeyOptionsDto> {
    return { options: await this.passkeys.offer(me, this.passkeys.siteOf(request)) };
  }

  @InControlCell('person')
  @Post('passkeys')
  async add(@Me() me: SignedIn, @Body() body: NewPasskeyDto, @Req() request: FastifyRequest): Promise<PasskeyDto> {
    const shown = { site: this.passkeys.siteOf(request), ip: request.ip };
    return PasskeyDto.of(await this.passkeys.add(me, NewPasskeyDto.credentialOf(body), shown));
  }

  @InControlCell('person')
  @Patch('passkeys/:id')
  async rename(@Me() me: SignedIn, @Param('id') id: string, @Body() { name }: PasskeyNameDto): Promise<PasskeyDto> {
    return PasskeyDto.of(await this.passkeys.rename(me, decodeId('psk', id), name));
  }

  @InControlCell('person')
  @Delete('passkeys/:id')
  @HttpCode(204)
  async remove(@Me() me: SignedIn, @Param('id') id: string, @Ip() ip: string): Promise<void> {
    await this.passkeys.remove(me, decodeId('psk', id), ip);
  }

  @InControlCell('person')
  @Post('auth/step-up/passkey-options')
  @HttpCode(200)
  async askAgain(@Me() me: SignedIn, @Req() request: FastifyRequest): Promise<PasskeyOptionsDto> {
    return { options: await this.passkeys.ask(me, this.passkeys.siteOf(request)) };
  }

  @InControlCell('person')
  @Post('auth/step-up/passkey')
  @HttpCode(200)
  async stepUp(
    @Me() me: SignedIn,
    @Body() body: ShownPasskeyDto,
    @Req() request: FastifyRequest,
  ): Promise<SteppedUpDto> {
    const shown = { site: this.passkeys.siteOf(request), ip: request.ip };
    await this.passkeys.requireShown(ShownPasskeyDto.shownOf(body), me, shown);
    return { stepped_up_until: await this.security.steppedUp(me, request.ip) };
  }
}
