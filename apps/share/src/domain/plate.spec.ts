import { maskPlate } from './plate';

describe('plate on the public page', () => {
  it.each([
    ['12가 3456', '12가 3***'],
    ['123허4567', '123허 4***'],
    ['서울 12 바 3456', '서울12바 3***'],
    ['AB-1234', 'AB- 1***'],
    ['ABC', 'A**'],
    ['1', '*'],
    ['', ''],
    ['12가\u202e3456', '12가 3***'],
  ])('%j is shown as %j', (plate, masked) => {
    expect(maskPlate(plate)).toBe(masked);
  });
});
