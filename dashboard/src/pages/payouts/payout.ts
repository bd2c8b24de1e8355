import type { Schemas } from '../../api/public-api';

export type Payout = Schemas['Transaction'];

export const payoutDetails = ({ details }: Pick<Payout, 'details'>) => details as Schemas['PayoutDetails'];
