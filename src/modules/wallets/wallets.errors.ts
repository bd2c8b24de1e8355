import { DomainError } from '../../core/errors/domain-error';
import { encodeId } from '../../core/http/ids';
import type { WalletStatus } from './wallets.service';

export class SameWallet extends DomainError {
  constructor() {
    super({
      code: 'same_wallet',
      kind: 'unprocessable',
      title: 'Same wallet',
      detail: 'from_wallet and to_wallet are the same wallet.',
      param: '/to_wallet',
    });
  }
}

export class InvalidWalletTransition extends DomainError {
  constructor(walletId: string, from: WalletStatus, to: WalletStatus) {
    super({
      code: 'invalid_state_transition',
      kind: 'conflict',
      title: 'Invalid state transition',
      detail: `${encodeId('wal', walletId)} is ${from} and cannot become ${to}.`,
      resourceId: encodeId('wal', walletId),
    });
  }
}

export class WalletNotEmpty extends DomainError {
  constructor(walletId: string) {
    super({
      code: 'invalid_state_transition',
      kind: 'conflict',
      title: 'Wallet not empty',
      detail: `${encodeId('wal', walletId)} still holds money: move it out, or let its holds end, before closing.`,
      recovery: 'account_must_act',
      resourceId: encodeId('wal', walletId),
    });
  }
}
