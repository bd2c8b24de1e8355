import { Module } from '@nestjs/common';
import { IdentityModule } from './identity.module';
import { InvitationsService } from './invitations.service';
import { JoiningService } from './joining.service';
import { LogInService } from './log-in.service';
import { NewPasswordsService } from './new-passwords.service';
import { PeopleModule } from './people.module';
import { RecoveryService } from './recovery.service';
import { SecurityService } from './security.service';
import { SignUpService } from './sign-up.service';
import { TwoFactorService } from './two-factor.service';

const SERVICES = [
  InvitationsService,
  JoiningService,
  LogInService,
  NewPasswordsService,
  RecoveryService,
  SecurityService,
  SignUpService,
  TwoFactorService,
];

/** How people get in, and what they do to stay the only ones. */
@Module({
  imports: [IdentityModule, PeopleModule],
  providers: SERVICES,
  exports: [...SERVICES, IdentityModule, PeopleModule],
})
export class EntryModule {}
