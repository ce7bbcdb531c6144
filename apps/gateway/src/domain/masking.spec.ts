import { maskedEmail, maskedName, maskedPhone } from './masking';

it.each([
  ['김민수', '김*수'],
  ['김수', '김*'],
  ['김', '*'],
  ['남궁민수', '남**수'],
  ['선우아름다운', '선***'],
  ['John Smith', 'J*** S***'],
  ['  홍  길동 ', '홍*** 길***'],
  ['𠮷田', '𠮷*'],
])('the name %j is shown as %j', (name, masked) => {
  expect(maskedName(name)).toBe(masked);
});

it.each([
  ['010-1234-5678', '010-****-5678'],
  ['+82 10-1234-5678', '010-****-5678'],
  ['+82 010 1234 5678', '010-****-5678'],
  ['02-123-4567', '****-4567'],
  ['+1 212 555 0100', '****-0100'],
])('the number %j is shown as %j', (phone, masked) => {
  expect(maskedPhone(phone)).toBe(masked);
});

it.each([
  ['kim.minsu@shop.example', 'k***@shop.example'],
  ['k@shop.example', 'k***@shop.example'],
])('the address %j is shown as %j', (email, masked) => {
  expect(maskedEmail(email)).toBe(masked);
});
