import { Injectable } from '@nestjs/common';
import { type Tx, UnitOfWork } from '../../../core/database/unit-of-work';
import { encodeId } from '../../../core/http/ids';
import { type Branding, BrandingService, type Look } from '../../payments/branding.service';
import { auditWrite } from '../audit.service';
import type { SignedIn } from '../people/sessions.service';

/** What people change of what payers see, each time with its entry in the audit log. */
@Injectable()
export class BrandingChanges {
  constructor(
    private readonly branding: BrandingService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  set(me: SignedIn, look: Look, ip: string): Promise<Branding> {
    return this.apply(me, { action: 'branding.changed', ip }, (tx) => this.branding.set(tx, me.accountId, look));
  }

  /** Null takes it away. Throws `FieldRefused`. */
  setLogo(me: SignedIn, logo: Buffer | null, ip: string): Promise<Branding> {
    const action = logo === null ? 'branding.logo_removed' : 'branding.logo_changed';
    return this.apply(me, { action, ip }, (tx) => this.branding.setLogo(tx, me.accountId, logo));
  }

  private async apply(
    { accountId, userId, email: actor }: SignedIn,
    deed: { readonly action: string; readonly ip: string },
    make: (tx: Tx) => Promise<void>,
  ): Promise<Branding> {
    const { name, colour, logoUrl: logo_url } = await this.branding.require(accountId);
    const detail = { before: { name, colour, logo_url } };
    await this.unitOfWork.run(async (tx) => {
      await make(tx);
      const entry = { accountId, userId, actor, ...deed, target: encodeId('acct', accountId), detail };
      await this.unitOfWork.write(tx, [auditWrite(entry)]);
    });
    return this.branding.require(accountId);
  }
}
