/** The commands that `npm start` suggests once the registry listens. */

const submission = '{"name":"left-pad","version":"1.3.0","ecosystem":"npm","license":"WTFPL"}';

/** Returns example commands for the registry at `url`. @param protectedByTokens whether a submission needs a token */
export const listExamples = (url: string, protectedByTokens: boolean): readonly string[] => {
  const token = protectedByTokens ? " -H 'X-API-Key: <token>'" : '';
  return [
    `curl '${url}/api/v1/packages?limit=5'`,
    `curl '${url}/api/v1/packages?search=lodash&status=approved'`,
    `curl -X POST ${url}/api/v1/packages -H 'Content-Type: application/json'${token} -d '${submission}'`,
  ];
};
