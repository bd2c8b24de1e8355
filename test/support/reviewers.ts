import { v5 } from 'uuid';
import type { Reviewer } from '../../src/providers/reviews';

const NAMESPACE = '0c9a3c0e-51f0-4b7e-8b0d-2f6d1f0e9a11';

/** An operator who decides; the same name is the same log-in. */
export const reviewer = (name: string): Reviewer => ({ userId: v5(name, NAMESPACE), email: `${name}@example.com` });
