import { Module } from '@nestjs/common';
import { TransactionsModule } from '../transactions/transactions.module';
import { WalletsModule } from '../wallets/wallets.module';
import { SandboxController } from './sandbox.controller';
import { SandboxService } from './sandbox.service';

@Module({ imports: [TransactionsModule, WalletsModule], controllers: [SandboxController], providers: [SandboxService] })
export class SandboxModule {}
