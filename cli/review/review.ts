export const review = async (..._: unknown[]): Promise<void> => {};
