import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TermsModule } from '../terms/terms.module';
import { AskingService } from './asking.service';
import { CustomersModule } from './customers.module';
import { IssuersService } from './issuers.service';
import { SandboxNumbers } from './providers/sandbox/sandbox-numbers.service';
import { SandboxIssuer } from './providers/sandbox/sandbox.provider';

/** Who issues cards, and how one speaks with them. */
@Module({
  imports: [DiscoveryModule, TermsModule, CustomersModule],
  providers: [AskingService, IssuersService, SandboxNumbers, SandboxIssuer],
  exports: [AskingService, IssuersService],
})
export class IssuersModule {}
