import { encodeId } from '../../core/http/ids';
import type { SignedIn } from './people.types';
import type { Session } from './session.entity';

/** A browser in which the person is signed in. */
export class SessionDto {
  id: string;
  created_at: Date;
  last_seen_at: Date;
  ip: string;
  user_agent: string | null;
  /** It is the one that asks. */
  current: boolean;

  static of(session: Session, { sessionId }: SignedIn): SessionDto {
    return {
      id: encodeId('ses', session.id),
      created_at: session.createdAt,
      last_seen_at: session.lastSeenAt,
      ip: session.ip,
      user_agent: session.userAgent,
      current: session.id === sessionId,
    };
  }
}
