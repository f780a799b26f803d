import * as z from 'zod';
import { statuses } from '../../domain/review/status.ts';

export const Status = z.enum(statuses, { error: `must be one of ${statuses.join(', ')}` });
