/** What reports cost. */
export const prices = {
  title: 'Price per report',
  text: 'A report costs the price of the day on which it was created. A new price changes no earlier month.',
  amount: 'Price of one report',
  amountWrong: (decimals: number) => (decimals === 0 ? 'Enter a whole number.' : `Enter a number with at most ${decimals} decimals.`),
  amountTooHigh: (most: string) => `At most ${most}.`,
  currency: 'Currency',
  validFrom: 'Valid from',
  dayWrong: (first: string, last: string) => `Choose a day from ${first} to ${last}.`,
  set: 'Set price',
  none: 'No price is set. Usage shows no money.',
  list: 'Prices',
  from: (day: string) => `from ${day}`,
  sum: (sums: string) => `Cost: ${sums}`,
  sumText: 'The reports of each day, times the price of that day.',
  cost: 'Cost',
};
