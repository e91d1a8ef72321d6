"""Draws the pictures of the documents anew: python docs/pictures/make.py [PATH OF kinwood]

Every picture is what the program draws; `lit-tree.svg` joins two of them and lights the way of one row.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PLACE = Path(__file__).resolve().parent
PROGRAM = str(Path(sys.argv[1]).resolve()) if len(sys.argv) > 1 else "kinwood"
ROW = 4


def kinwood(words: list[str], folder: Path) -> str:
    done = subprocess.run([PROGRAM, *words, "--quiet"], cwd=folder, check=True, capture_output=True, text=True)
    return done.stdout


def body(svg: str) -> tuple[str, str]:
    """The style and the shapes of a drawing, its ground left out."""
    style = re.search(r"<style>(.*?)</style>", svg, re.S).group(1)
    shapes = svg.split("</style>", 1)[1].rsplit("</svg>", 1)[0]
    return style, re.sub(r'<rect class="page"[^>]*/>', "", shapes, count=1)


def prefixed(style: str, shapes: str, prefix: str) -> tuple[str, str]:
    """With classes of its own, so that two drawings can stand in one."""
    def classes(match: re.Match) -> str:
        return 'class="' + " ".join(prefix + name for name in match.group(1).split()) + '"'

    style = re.sub(r"\.([a-z][\w-]*)(?=[^{}]*\{)", rf".{prefix}\1", style)
    style = re.sub(r"(?m)^(\s*)text \{", rf"\1.{prefix}ground text {{", style)
    return style, re.sub(r'class="([^"]*)"', classes, shapes)


def lit(shapes: str, holds: list[bool]) -> str:
    """The nodes and branches of a binary tree on the way of a row; `holds` says which tests do."""
    edges = [match.span() for match in re.finditer(r'<path class="way"', shapes)]
    cards = [match.span() for match in re.finditer(r'<rect class="card[^"]*"', shapes)]
    titles = re.findall(r"<g><title>([^<]*)</title>", shapes)
    reached, followed = [0], []
    node, edge = 0, 0

    def size(at: int) -> int:
        """The nodes of the subtree at a place in preorder."""
        if ";" not in titles[at]:
            return 1
        first = size(at + 1)
        return 1 + first + size(at + 1 + first)

    for holding in holds:
        step = 1 if holding else 1 + size(node + 1)
        node += step
        edge = node - 1
        reached.append(node)
        followed.append(edge)
    spans = [(cards[at], '<rect class="card reached"') for at in reached]
    spans += [(edges[at], '<path class="way followed" style="stroke-width: 6"') for at in followed]
    for (start, end), text in sorted(spans, reverse=True):
        shapes = shapes[:start] + text + shapes[end:]
    return shapes


def lit_tree(folder: Path) -> str:
    kinwood(["sample", "molecules", "-o", "molecules.sqlite", "--noise", "0.005"], folder)
    kinwood(["fit", "mirt", "molecules.sqlite", "--target", "active", "--set", "size=7", "-o", "model.kin"], folder)
    kinwood(["describe", "molecules.sqlite", "--target", "active", "--svg", "schema.svg"], folder)
    kinwood(["show", "model.kin", "--svg", "tree.svg"], folder)
    why = kinwood(["predict", "model.kin", "molecules.sqlite", "--rows", f"molecule_id = {ROW}", "--explain"], folder)
    steps = [line.rstrip() for line in why.splitlines()[3:]]
    holds = [re.search(r"\b(yes|no)\s+1\.0+$", step).group(1) == "yes" for step in steps]
    tree_style, tree = body((folder / "tree.svg").read_text())
    schema_style, schema = prefixed(*body((folder / "schema.svg").read_text()), "s-")
    tree = lit(tree, holds)
    answer = why.splitlines()[1]
    told = [f"Molecule {ROW}: {answer}"]
    for step in steps:
        test, value, holding, _ = re.split(r"\s{2,}", step.strip())
        told.append(f"{'✓' if holding == 'yes' else '✗'} {test}")
        told.append(f"    {value}")
    lines = "".join(
        f'<text x="560" y="{330 + 24 * place}" font-size="{15 if place == 0 else 13}" xml:space="preserve"'
        f' class="{"title" if place == 0 else "soft" if line.startswith("    ") else ""}">{escaped(line)}</text>\n'
        for place, line in enumerate(told)
    )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="1080" height="700" viewBox="0 0 1080 700" role="img">\n'
        "<title>A relational tree with the way of one molecule lit, and the schema of the database</title>\n"
        f"<style>{tree_style}{schema_style}</style>\n"
        '<rect class="page" width="1080" height="700"/>\n'
        f'<g transform="translate(0,-128)">{tree}</g>\n'
        f'<g class="s-ground" transform="translate(545,40) scale(0.655)">{schema}</g>\n{lines}</svg>\n'
    )


def escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def gallery(folder: Path) -> dict[str, str]:
    """The other pictures, by name."""
    kinwood(["sample", "genes", "-o", "genes.json"], folder)
    kinwood(["sample", "shapes", "-o", "shapes.json"], folder)
    kinwood(["sample", "phrases", "-o", "phrases.json"], folder)
    kinwood(["fit", "dbdt", "genes.json", "--target", "resists", "--set", "size=7", "-o", "genes.kin"], folder)
    kinwood(["show", "genes.kin", "--svg", "prototypes.svg"], folder)
    kinwood(["cluster", "genes.json", "--column", "string", "--rows", "id <= 40", "--method", "average", "--k", "2", "--svg", "dendrogram.svg"], folder)
    kinwood(["map", "genes.json", "--target", "resists", "-o", "map.svg"], folder)
    kinwood(["fit", "tree", "phrases.json", "--target", "mood", "--ignore", "text", "--set", "size=7", "-o", "mood.kin"], folder)
    kinwood(["show", "mood.kin", "--svg", "contents.svg"], folder)
    kinwood(["tune", "knn", "phrases.json", "--target", "mood", "--curve", "k=1|3|5|9|15", "--folds", "5", "--svg", "curve.svg"], folder)
    kinwood(["sample", "baskets", "-o", "baskets.json"], folder)
    kinwood(["fit", "tree", "baskets.json", "--target", "returns", "--set", "max_depth=4", "-o", "baskets.kin"], folder)
    kinwood(["show", "baskets.kin", "--svg", "baskets.svg"], folder)
    kinwood(["sample", "table", "-o", "apples.json"], folder)
    apples = ["apples.json", "--target", "grade", "--ignore", "price"]
    kinwood(["tune", "kstar", *apples, "--curve", "blend=0..1/11", "--folds", "10", "--svg", "blend.svg"], folder)
    kinwood(["sample", "bags", "-o", "bags.sqlite", "--size", "300", "--noise", "0.05"], folder)
    kinwood(["fit", "mirt", "bags.sqlite", "--target", "class", "--set", "preset=best", "--set", "search=beam", "--set", "size=5", "-o", "bags.kin"], folder)
    kinwood(["show", "bags.kin", "--member", "1", "--svg", "bags.svg"], folder)
    kinwood(["map", "molecules.sqlite", "--target", "active", "--ignore", "activity", "--rows", "molecule_id <= 80", "--distance", "fourlayer", "-o", "facts-map.svg"], folder)
    kinwood(["importance", "model.kin", "molecules.sqlite", "--svg", "importance.svg"], folder)
    kinwood(["compare", "tree", "forest", "boost", "knn", "majority", "--data", "apples.json#grade", "--data", "phrases.json#mood", "--data", "baskets.json#returns", "--data", "shapes.json#kind", "--folds", "5", "-o", "results"], folder)
    shutil.copy(next((folder / "results" / "tables").glob("*.svg")), folder / "ranks.svg")
    (folder / "beam.svg").write_text(beam(folder, apples))
    (folder / "time.svg").write_text(time(folder))
    names = ["schema", "prototypes", "dendrogram", "map", "contents", "curve", "baskets", "blend", "bags", "facts-map", "importance", "ranks", "beam", "time"]
    return {name: (folder / f"{name}.svg").read_text() for name in names}


def beam(folder: Path, apples: list[str]) -> str:
    """Three trees of a beam beside each other."""
    search = ["--set", "search=beam", "--set", "width=3", "--set", "beta=1", "--set", "constraints=size <= 7"]
    kinwood(["fit", "tree", *apples, *search, "-o", "beam.kin"], folder)
    members = []
    for member in ("1", "2", "3"):
        kinwood(["show", "beam.kin", "--member", member, "--svg", "one.svg", "--force"], folder)
        members.append((folder / "one.svg").read_text())
    return beside(members, "Three trees of a beam")


def time(folder: Path) -> str:
    """Trees for customers who leave, one of which has seen the future."""
    kinwood(["sample", "shop", "-o", "shop"], folder)
    fit = ["fit", "mirt", "shop", "--target", "churn.left", "--set", "counts=true", "--set", "size=5", "-o", "churn.kin", "--force"]
    drawn = []
    for seen, words in ([], "With the future in sight"), (["--as-of", "churn.date", "--window", "60"], "As of the date"):
        kinwood([*fit, *seen], folder)
        kinwood(["show", "churn.kin", "--svg", "one.svg", "--force"], folder)
        drawn.append((folder / "one.svg").read_text().replace(">Tree for left<", f">{words}<"))
    return beside(drawn, "With the future in sight, and as of the date of each question")


def beside(drawings: list[str], title: str) -> str:
    """Drawings of the program in one, from left to right."""
    at, height, styles, parts = 0, 0, "", ""
    for place, svg in enumerate(drawings):
        wide, high = (float(number) for number in re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg).groups())
        style, shapes = body(svg)
        if place == 0:
            styles = style
        parts += f'<g transform="translate({at},0)">{shapes}</g>\n'
        at, height = at + wide + 24, max(height, high)
    width = at - 24
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" viewBox="0 0 {width:g} {height:g}" role="img">\n'
        f"<title>{escaped(title)}</title>\n<style>{styles}</style>\n"
        f'<rect class="page" width="{width:g}" height="{height:g}"/>\n{parts}</svg>\n'
    )


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        drawn = {"lit-tree": lit_tree(Path(made)), **gallery(Path(made))}
    for name, text in drawn.items():
        (PLACE / f"{name}.svg").write_text(text)
        print(f"wrote {PLACE.name}/{name}.svg")
