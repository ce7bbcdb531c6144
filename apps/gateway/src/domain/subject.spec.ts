import { isCustomer, normalizedSubject } from './subject';

describe('the value that names a person or a vehicle', () => {
  it.each([
    ['plate', ' 12가-34 56 ', '12가3456'],
    ['plate', '１２가３４５６', '12가3456'],
    ['vin', 'kmhxx00xxxx000001', 'KMHXX00XXXX000001'],
    ['vehicle', ' car-1 ', 'car-1'],
    ['report', ' 0193B1F0-0000-7000-8000-000000000000', '0193b1f0-0000-7000-8000-000000000000'],
    ['report', 'car-1', null],
    ['phone', '010-1234-5678', '+821012345678'],
    ['phone', '+82 10 1234 5678', '+821012345678'],
    ['phone', 'call me', null],
    ['email', ' Kim@Shop.example', 'kim@shop.example'],
    ['email', 'kim', null],
    ['name', ' 김  민수 ', '김 민수'],
    ['name', '   ', null],
    ['plate', ' - ', null],
  ] as const)('%s %j is %j', (kind, written, normalized) => expect(normalizedSubject(kind, written)).toBe(normalized));

  it('is that of a customer whose value is written otherwise, and of no customer without it', () => {
    const held = { email: 'Kim@shop.example', name: 'Kim  Minsu' };
    expect([isCustomer('email', 'kim@shop.example', held), isCustomer('name', 'kim minsu', held)]).toEqual([true, true]);
    expect(isCustomer('name', 'kim', held)).toBe(false);
    expect(isCustomer('email', 'kim@shop.example', { email: null, name: null })).toBe(false);
  });
});
