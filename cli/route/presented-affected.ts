/** A version that has a vulnerability, for people: in place of the severity, that it does no harm or is accepted for now. */
export const presentAffected = (row: object): object => {
  if ('not_affecting' in row && row.not_affecting) return { ...row, severity: 'not affecting' };
  if (!('accepted_until' in row) || typeof row.accepted_until !== 'string') return row;
  return { ...row, severity: `accepted until ${row.accepted_until.slice(0, 10)}` };
};
