import type * as z from 'zod';

/**
 * Returns the default message for a missing value or a wrong type, to complete a sentence that begins with the field's
 * name. Returns undefined for other issues.
 */
export const describeIssue: z.core.$ZodErrorMap = (issue) => {
  if (issue.input === undefined) return 'is required';
  if (issue.code !== 'invalid_type') return undefined;
  const article = /^[aeiou]/.test(issue.expected) ? 'an' : 'a';
  return `must be ${article} ${issue.expected}`;
};
