import * as z from 'zod';
import { ecosystems } from '../../ecosystems/ecosystem.ts';

export const Ecosystem = z.enum(ecosystems, {
  error: `must be one of ${ecosystems.join(', ')}`,
});
export type Ecosystem = z.infer<typeof Ecosystem>;
