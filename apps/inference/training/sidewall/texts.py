"""Texts of sidewalls: sizes, sizes of other vehicles, and other markings."""

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np

Item = TypeVar("Item")
Size = tuple[int, int, int, int]  # width, aspect ratio, rim, whether it is common

TABLE = Path(__file__).parents[2] / "models" / "sidewall" / "tire_sizes.csv"
SPEEDS = "QRSTHVWY"
# fmt: off
BRANDS = (
    "HANKOOK", "Hankook", "KUMHO", "NEXEN", "MICHELIN", "BRIDGESTONE", "GOODYEAR", "Continental", "PIRELLI", "DUNLOP", "YOKOHAMA", "TOYO",
    "FALKEN", "NOKIAN", "COOPER", "MAXXIS", "TRIANGLE", "LINGLONG", "ROADX", "SAILUN", "BARUM", "FIRESTONE", "KLEBER", "UNIROYAL",
    "VREDESTEIN", "GISLAVED", "LAUFENN", "Marshal", "ROADSTONE", "NANKANG",
)
# fmt: on
# fmt: off
PATTERNS = (
    "Kinergy", "Ventus", "Dynapro", "ECSTA", "SOLUS", "CRUGEN", "N'FERA", "N'PRIZ", "PRIMACY", "PILOT", "SPORT", "ENERGY", "CROSSCLIMATE",
    "TURANZA", "POTENZA", "ECOPIA", "DUELER", "EFFICIENTGRIP", "EAGLE", "VECTOR", "4SEASONS", "EcoContact", "PremiumContact",
    "WinterContact", "CINTURATO", "P-ZERO", "SCORPION", "BLUEARTH", "ADVAN", "GEOLANDAR", "PROXES", "ZIEX", "CS2", "RXMOTION", "ROADFIT",
    "FRD96", "SNOW", "ICE", "GRIP", "A/T", "H/T", "M/T", "AS", "ECO", "RS4", "SUV", "VAN", "HP", "U11", "K435", "K125", "TA31", "HS52",
)
# fmt: on
PHRASES = (
    "TUBELESS",
    "RADIAL TUBELESS",
    "RADIAL",
    "OUTSIDE",
    "INSIDE",
    "ROTATION",
    "STEEL BELTED RADIAL",
    "M+S",
    "M & S",
    "EXTRA LOAD",
    "REINFORCED",
    "STANDARD LOAD",
    "MADE IN KOREA",
    "MADE IN CHINA",
    "MADE IN GERMANY",
    "TEMPERATURE A",
    "TRACTION AA",
    "ALL SEASON",
    "SAFETY WARNING",
    "SIDEWALL 1 PLY POLYESTER",
    "TREAD 2 STEEL + 1 POLYAMIDE",
    "RUN FLAT",
    "TWI",
    "ELT",
    "LIGHT TRUCK",
    "FACING OUTWARDS",
    "SERIOUS INJURY MAY RESULT FROM",
    "NEVER EXCEED 275 KPA TO SEAT BEADS",
)


def table() -> list[Size]:
    with open(TABLE) as file:
        return [
            (int(r["section_width"]), int(r["aspect_ratio"]), int(r["rim_diameter"]), int(r["kr_common"])) for r in csv.DictReader(file)
        ]


SIZES = table()


def pick(rng: np.random.Generator, items: Sequence[Item]) -> Item:
    return items[int(rng.integers(len(items)))]


def any_size(rng: np.random.Generator) -> tuple[int, int, int]:
    """A size of the table; half of the draws are common sizes."""
    common = [s for s in SIZES if s[3]]
    return pick(rng, common if common and rng.random() < 0.5 else SIZES)[:3]


def size_text(rng: np.random.Generator, size: tuple[int, int, int]) -> str:
    """One spelling of a car's or van's size, with or without load index and speed symbol."""
    width, aspect, rim = size
    gap = pick(rng, ["", "", " "])
    prefix = pick(rng, [""] * 10 + ["P", "P ", "LT", "LT "])
    radial = "ZR" if rng.random() < (0.25 if aspect <= 55 else 0.03) else "R"
    text = f"{prefix}{width}/{aspect}{gap}{radial}{gap if rng.random() < 0.8 else ''}{rim}"
    if rng.random() < 0.08:
        return f"{text}C {rng.integers(95, 122)}/{rng.integers(93, 120)}{pick(rng, SPEEDS)}"
    if rng.random() < 0.55:
        load = f"{rng.integers(73, 118)}{pick(rng, SPEEDS)}"
        text += pick(rng, [f" {load}", f" {load}", f" {load}", f"{load}", f" ({load})", f" {load[:-1]} {load[-1]}"])
        if rng.random() < 0.15:
            text += pick(rng, [" XL", "XL", " EXTRA LOAD"])
    return text


def foreign_size(rng: np.random.Generator) -> str:
    """A size of a truck, a motorcycle or an old car, or in inches. The recognizer learns them, so that the decoder can reject them."""
    kind = int(rng.integers(7))
    if kind == 0:
        return (
            f"{pick(rng, [215, 235, 245, 275, 295, 315, 385])}/{pick(rng, [55, 60, 65, 70, 75, 80])}R{pick(rng, ['17.5', '19.5', '22.5'])}"
        )
    if kind == 1:
        return f"{pick(rng, [9, 10, 11, 12, 13])}{pick(rng, ['', '.00', ' '])}R{pick(rng, ['20', '22.5', '24.5'])}"
    if kind == 2:
        return f"{pick(rng, [90, 100, 110, 120, 130, 150, 160, 180, 190])}/{pick(rng, [50, 55, 60, 70, 80, 90])}{pick(rng, ['-', 'ZR', ' ZR ', 'R', 'B'])}{rng.integers(10, 19)}"
    if kind == 3:
        return f"{rng.integers(28, 38)}X{pick(rng, ['9.50', '10.50', '11.50', '12.50'])}R{rng.integers(15, 21)}LT"
    if kind == 4:
        return f"{pick(rng, [145, 155, 165, 175, 185, 195, 205])}{pick(rng, [' R ', 'R', 'SR', ' SR '])}{rng.integers(12, 17)}{pick(rng, ['', 'C', ' C'])}"
    if kind == 5:
        return f"{pick(rng, ['5.60', '6.00', '6.50', '7.00', '7.50'])}{pick(rng, ['-', ' - ', 'R'])}{rng.integers(12, 17)}"
    return f"T{pick(rng, [115, 125, 135, 145, 155])}/{pick(rng, [70, 80, 90])}{pick(rng, ['D', 'R'])}{rng.integers(14, 20)}"


def other_text(rng: np.random.Generator) -> str:
    kind = int(rng.integers(9))
    letters = "ABCDEFGHJKLMNPRTUVWXY123456789"
    code = "".join(pick(rng, letters) for _ in range(4))
    if kind == 0:
        return pick(rng, BRANDS)
    if kind == 1:
        return f"{pick(rng, PATTERNS)} {pick(rng, PATTERNS)}" if rng.random() < 0.5 else pick(rng, PATTERNS)
    if kind in (2, 3):
        return pick(rng, PHRASES)
    if kind == 4:
        return f"DOT {code[:2]}{pick(rng, letters)}{pick(rng, letters)} {code} {rng.integers(1, 53):02d}{rng.integers(8, 27):02d}"
    if kind == 5:
        kilos = int(rng.integers(387, 1300))
        return (
            f"MAX LOAD {kilos} KG ({round(kilos * 2.2046)} LBS)"
            if rng.random() < 0.6
            else f"MAX PRESS {rng.integers(240, 360)} KPA ({rng.integers(35, 52)} PSI)"
        )
    if kind == 6:
        return f"TREADWEAR {rng.integers(14, 80)}0"
    if kind == 7:
        return f"E{rng.integers(1, 14)} 0{rng.integers(200000, 299999)} {pick(rng, ['02', ''])}S{pick(rng, ['1', '2'])}W{pick(rng, ['1', '2'])}R{pick(rng, ['2', '3'])}"
    return "".join(pick(rng, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ/-. ") for _ in range(int(rng.integers(2, 10)))).strip() or "R"


def line_text(rng: np.random.Generator) -> tuple[str, bool]:
    """The text of one line, and whether it contains a size of the table."""
    draw = rng.random()
    if draw < 0.62:
        text = size_text(rng, any_size(rng))
        if rng.random() < 0.12:
            text = f"{other_text(rng)} {text}"
        if rng.random() < 0.12:
            text = f"{text} {other_text(rng)}"
        return text[:30].strip(), True
    if draw < 0.72:
        return foreign_size(rng)[:30], False
    return other_text(rng)[:30].strip(), False
