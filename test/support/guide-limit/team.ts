import { defineTeam } from '../../../src/core/extension/teams';
import { RiskSpending1763500000001 } from './0001-spending';
import { RiskModule } from './risk.module';

export const risk = defineTeam({ name: 'risk', module: RiskModule, migrations: [RiskSpending1763500000001] });
