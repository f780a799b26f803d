/**
 * Loaded before a function's code, by NODE_OPTIONS: writes a line for each variable of the environment that is read,
 * once. What reads the environment throws where a variable is missing, so that one that is read is needed.
 */
const given = process.env;
const seen = new Set<PropertyKey>();

process.env = new Proxy(given, {
  get: (target, variable) => {
    const value = Reflect.get(target, variable) as string | undefined;
    if (value !== undefined && !seen.has(variable)) {
      seen.add(variable);
      const functionName = target['AWS_LAMBDA_FUNCTION_NAME'];
      const line = { event: 'variable-read', functionName, variable };
      process.stdout.write(`${JSON.stringify(line)}\n`);
    }
    return value;
  },
});
