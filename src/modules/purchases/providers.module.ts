import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TermsModule } from '../terms/terms.module';
import { AskingService } from './asking.service';
import { ProvidersService } from './providers.service';
import { RoutingService } from './routing.service';
import { SandboxOperator } from './sandbox-operator.service';

/** Who can be asked, in which order, and how one speaks with them. */
@Module({
  imports: [DiscoveryModule, TermsModule],
  providers: [AskingService, ProvidersService, RoutingService, SandboxOperator],
  exports: [AskingService, ProvidersService, RoutingService, SandboxOperator],
})
export class ProvidersModule {}
