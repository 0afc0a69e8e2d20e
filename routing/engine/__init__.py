"""From a message to domains with a probability: two signals over the examples of a pack. Source: issue 8."""

from routing.engine.classifier import Classifier, abstains, classifier_of, domains_of

__all__ = ("Classifier", "abstains", "classifier_of", "domains_of")
