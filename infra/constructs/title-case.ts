/** Returns the id in PascalCase, as a CloudFormation logical id: `list-packages` becomes `ListPackages`. */
export const toTitleCase = (id: string): string =>
  id
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
