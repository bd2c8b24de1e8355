/** Placeholder until verify.service exists; replaced by the verification helper. */
export async function expectBooksToBalance(_url: string): Promise<void> {}
