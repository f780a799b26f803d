import type * as z from 'zod';

/** What a schema says of an issue when it says nothing of its own: to follow the name of the field. */
export const describeIssue: z.core.$ZodErrorMap = (issue) => {
  if (issue.input === undefined) return 'is required';
  if (issue.code !== 'invalid_type') return undefined;
  const article = /^[aeiou]/.test(issue.expected) ? 'an' : 'a';
  return `must be ${article} ${issue.expected}`;
};
