import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type Repository } from 'typeorm';
import { Clock } from '../../core/clock/clock';
import { found } from '../../core/errors/not-found';
import { AlreadyMember } from './dashboard.errors';
import type { Proof } from './identity.service';
import { JoiningService } from './joining.service';
import { LogInService } from './log-in.service';
import type { NewSession, Origin } from './people.types';
import { TeamMember } from './team-member.entity';
import { hashToken, makeToken } from './tokens.batch';

const INVITE_MS = 7 * 24 * 3_600_000;

/** Invitations are links: whoever has one may join with the address that it was made for, once. */
@Injectable()
export class InvitationsService {
  constructor(
    @InjectRepository(TeamMember) private readonly members: Repository<TeamMember>,
    private readonly joining: JoiningService,
    private readonly logIns: LogInService,
    private readonly clock: Clock,
  ) {}

  /** A token for a new member, and until when it is good. */
  async make(accountId: string): Promise<{ token: string; inviteHash: Buffer; inviteUntil: Date }> {
    const token = makeToken();
    const now = await this.clock.now({ accountId, livemode: true });
    return { token, inviteHash: hashToken(token), inviteUntil: new Date(now.getTime() + INVITE_MS) };
  }

  /** Throws `NotFound`, `WeakPassword`, `InvalidCredentials`, `AlreadyMember`. */
  async accept(token: string, proof: Proof, origin: Origin): Promise<NewSession> {
    await this.joining.countTry(origin.ip);
    const invited = await this.findOpen(token);
    const user = await this.joining.prove(invited, proof, origin.ip);
    const { affected } = await this.members.update(
      { accountId: invited.accountId, id: invited.id, userId: IsNull(), removedAt: IsNull() },
      { userId: user.id, inviteHash: null, inviteUntil: null },
    );
    if (affected === 0) throw new AlreadyMember();
    return this.logIns.enter({ ...invited, userId: user.id }, origin, 'team.joined');
  }

  private async findOpen(token: string): Promise<TeamMember> {
    const inviteHash = hashToken(token);
    const invited = await this.members.findOneBy({ inviteHash, userId: IsNull(), removedAt: IsNull() });
    const now = invited && (await this.clock.now({ accountId: invited.accountId, livemode: true }));
    return found(invited && invited.inviteUntil! > now! ? invited : null, 'invitation', '/token');
  }
}
