import type { Schemas } from '../../api/public-api';
import { moneyText } from '../../ui/money';
import '../../styles/cards.css';

const WITHOUT_USE: Partial<Record<Schemas['Card']['status'], string>> = {
  pending: 'On its way',
  failed: 'Not issued',
  frozen: 'Frozen',
  blocked: 'Blocked',
  terminated: 'Terminated',
  expired: 'Expired',
};

/** The card, as one would hold it: what is on it, whose it is, and whether it pays. Its number stays masked. */
export function CardFace({ card }: { card: Schemas['Card'] }) {
  const off = WITHOUT_USE[card.status];
  const expiry = card.exp_month && `${String(card.exp_month).padStart(2, '0')}/${String(card.exp_year).slice(-2)}`;
  return (
    <section className={`card-face card-face-${card.brand}`} data-off={off && true} aria-label="The card">
      <div className="card-face-line">
        <span className="card-face-label">{card.label ?? 'Virtual card'}</span>
        <span className="card-face-brand">{card.brand}</span>
      </div>
      <div>
        <div className="card-face-balance">{moneyText(card.balance.available, card.currency)}</div>
        <div className="card-face-small">
          {card.balance.held > 0 ? `and ${moneyText(card.balance.held, card.currency)} held` : 'available'}
        </div>
        {card.debt > 0 && <div className="card-face-state">owes {moneyText(card.debt, card.currency)}</div>}
      </div>
      <div className="card-face-line">
        <span className="card-face-number">
          <span className="visually-hidden">Ends in {card.last4 ?? 'nothing yet'}</span>
          <span aria-hidden="true">•••• •••• •••• {card.last4 ?? '••••'}</span>
        </span>
        {off && <span className="card-face-state">{off}</span>}
      </div>
      <div className="card-face-line card-face-small">
        <span>{card.name_on_card}</span>
        <span>{expiry ? `Expires ${expiry}` : 'No expiry told'}</span>
      </div>
    </section>
  );
}
