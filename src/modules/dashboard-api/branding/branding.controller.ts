import { Body, Controller, Delete, Get, Ip, Put } from '@nestjs/common';
import { BrandingService } from '../../payments/branding.service';
import { Me, Needs } from '../people/sessions.guard';
import type { SignedIn } from '../people/sessions.service';
import { BrandingDto, SetBrandingDto, SetLogoDto } from './branding.dto';
import { BrandingChanges } from './branding-changes.service';

/** What payers see of the account on its checkout pages, in both modes. */
@Needs('branding:write')
@Controller('dashboard/api/branding')
export class BrandingController {
  constructor(
    private readonly branding: BrandingService,
    private readonly changes: BrandingChanges,
  ) {}

  @Get()
  async show(@Me() me: SignedIn): Promise<BrandingDto> {
    return BrandingDto.of(await this.branding.require(me.accountId));
  }

  @Put()
  async set(@Me() me: SignedIn, @Body() { name, colour }: SetBrandingDto, @Ip() ip: string): Promise<BrandingDto> {
    return BrandingDto.of(await this.changes.set(me, { name: name ?? null, colour: colour ?? null }, ip));
  }

  @Put('logo')
  async setLogo(@Me() me: SignedIn, @Body() { logo }: SetLogoDto, @Ip() ip: string): Promise<BrandingDto> {
    return BrandingDto.of(await this.changes.setLogo(me, Buffer.from(logo, 'base64'), ip));
  }

  @Delete('logo')
  async removeLogo(@Me() me: SignedIn, @Ip() ip: string): Promise<BrandingDto> {
    return BrandingDto.of(await this.changes.setLogo(me, null, ip));
  }
}
