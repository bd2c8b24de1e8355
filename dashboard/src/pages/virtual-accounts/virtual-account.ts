import type { Schemas } from '../../api/public-api';

export type VirtualAccount = Schemas['VirtualAccount'];

export const KINDS = [
  { value: 'permanent', label: 'permanent' },
  { value: 'one_time', label: 'one time' },
] as const satisfies readonly { value: VirtualAccount['kind']; label: string }[];
