import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AttemptsService } from './attempts.service';
import { AuditService } from './audit.service';
import { IdentityService } from './identity.service';
import { PasswordsService } from './passwords.service';
import { TotpService } from './totp.service';
import { User } from './user.entity';

const SERVICES = [AttemptsService, AuditService, IdentityService, PasswordsService, TotpService];

/** Proves who somebody is, and writes down what they did. */
@Module({ imports: [TypeOrmModule.forFeature([User])], providers: SERVICES, exports: SERVICES })
export class IdentityModule {}
