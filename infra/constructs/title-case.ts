/** The id with a capital for the first letter of each word, without hyphens, as CloudFormation takes it for a logical id. */
export const toTitleCase = (id: string): string =>
  id
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
