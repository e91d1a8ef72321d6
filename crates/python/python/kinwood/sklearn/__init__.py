"""The estimators under the modules and names of scikit-learn, so that of a program only the imports change.

>>> from kinwood.sklearn.ensemble import RandomForestClassifier
>>> X, y = [[1.0, 5.0], [2.0, 4.0], [8.0, 1.0], [9.0, 2.0]], ["low", "low", "high", "high"]
>>> print(*RandomForestClassifier(n_estimators=20, random_state=0).fit(X, y).predict([[1.2, 4.8], [9.1, 1.1]]))
low high

Parameters and defaults are scikit-learn's, with one exception: neighbours compare columns in units of their standard deviations unless
`metric` says otherwise. What an estimator does not know is refused by name.
"""
