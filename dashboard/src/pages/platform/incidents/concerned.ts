/** Which products and networks an incident concerns, for people. */
export const concernedText = ({ products, networks }: { products: readonly string[]; networks: readonly string[] }) =>
  [...products.map((product) => product.replaceAll('_', ' ')), ...networks].join(', ') || 'everything';
