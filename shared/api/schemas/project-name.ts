import * as z from 'zod';
import { isRef, refRule } from '../../domain/projects/project-name.ts';

/** Ref of a project: a branch or a tag. */
export const Ref = z
  .string({ error: refRule })
  .refine(isRef, { error: refRule })
  .meta({ pattern: '^[!-~]+$', maxLength: 200 });

/** Ref in a query. API Gateway decodes `+` in a query as a blank. No ref has blanks, so they become `+` again. */
export const RefFilter = z
  .string()
  .transform((ref) => ref.replaceAll(' ', '+'))
  .pipe(z.string().refine(isRef, { error: refRule }));
