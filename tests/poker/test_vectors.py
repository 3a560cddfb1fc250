"""Every vector of the rules has a test that carries its number, such as `test_v3_1_…` or the id `V3.1`."""

import re
from pathlib import Path

LAST = {1: 4, 3: 16, 4: 6, 5: 10, 6: 15, 7: 5, 8: 5, 9: 18, 11: 4, 12: 9}
"""The last vector of each section. Section 8 begins with V8.0, and section 9 has a V9.5b."""
NUMBER = re.compile(r"(?:\bV|_v)(\d+)[._](\d+b?)(?!\d)")


def test_every_vector_has_a_test() -> None:
    vectors = {f"{section}.{number}" for section, last in LAST.items() for number in range(1, last + 1)}
    vectors |= {"8.0", "9.5b"}
    tested = set()
    for file in Path(__file__).parent.rglob("test_*.py"):
        for line in file.read_text(encoding="utf-8").splitlines():
            if "def test" in line or "id=" in line or "pytest.param" in line or line.lstrip().startswith(('("V', '"V')):
                tested |= {".".join(found) for found in NUMBER.findall(line)}
    assert vectors - tested == set()
    assert tested - vectors == set()
