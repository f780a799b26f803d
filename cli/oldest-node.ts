/** The oldest release of Node.js that the command line and the client run on: major and minor. */
export const oldestNode = [20, 18] as const;
